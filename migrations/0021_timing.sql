ALTER TABLE "predictions" ADD COLUMN "timing" text DEFAULT 'by' NOT NULL;--> statement-breakpoint
ALTER TABLE "predictions" ADD COLUMN "direction" text;--> statement-breakpoint
UPDATE "predictions" SET "timing" = 'throughout' WHERE "type" IN ('top', 'bottom');--> statement-breakpoint
ALTER TABLE "submissions" ADD COLUMN "timing" text DEFAULT 'by' NOT NULL;--> statement-breakpoint
ALTER TABLE "submissions" ADD COLUMN "direction" text;--> statement-breakpoint
UPDATE "submissions" SET "timing" = 'throughout' WHERE "prediction_type" IN ('top', 'bottom');
