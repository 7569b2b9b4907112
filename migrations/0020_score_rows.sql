DO $$ BEGIN
	IF EXISTS (SELECT FROM "scores") THEN
		CREATE TABLE "packed_scores" AS SELECT * FROM "scores";
		DELETE FROM "scores";
	END IF;
END $$;
--> statement-breakpoint
CREATE TABLE "person_scores" (
	"as_of" date NOT NULL,
	"mode" text NOT NULL,
	"slug" text NOT NULL,
	"place" integer NOT NULL,
	"ranked" boolean NOT NULL,
	"call_count" integer NOT NULL,
	"figures" json NOT NULL,
	"calls" json NOT NULL,
	CONSTRAINT "person_scores_as_of_mode_place_pk" PRIMARY KEY("as_of","mode","place")
);
--> statement-breakpoint
ALTER TABLE "scores" DROP CONSTRAINT "scores_reply";--> statement-breakpoint
ALTER TABLE "scores" ADD COLUMN "about" json NOT NULL;--> statement-breakpoint
ALTER TABLE "scores" ADD COLUMN "pages" json;--> statement-breakpoint
ALTER TABLE "scores" ADD COLUMN "record_version" bigint;--> statement-breakpoint
ALTER TABLE "person_scores" ADD CONSTRAINT "person_scores_as_of_mode_scores_as_of_mode_fk" FOREIGN KEY ("as_of","mode") REFERENCES "public"."scores"("as_of","mode") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "person_scores_of_person" ON "person_scores" USING btree ("slug","mode","as_of");--> statement-breakpoint
ALTER TABLE "scores" DROP COLUMN "gzip";--> statement-breakpoint
ALTER TABLE "scores" DROP COLUMN "starts";--> statement-breakpoint
ALTER TABLE "scores" DROP COLUMN "reply";