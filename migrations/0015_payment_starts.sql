CREATE TABLE "payment_starts" (
	"payment_id" uuid PRIMARY KEY NOT NULL,
	"network" text NOT NULL,
	"prefix" text NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "payment_starts" ADD CONSTRAINT "payment_starts_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_starts_of_prefix" ON "payment_starts" USING btree ("prefix","at");--> statement-breakpoint
CREATE INDEX "payment_starts_at" ON "payment_starts" USING btree ("at");