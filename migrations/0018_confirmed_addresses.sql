CREATE TABLE "contact_confirmations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"submission_id" uuid NOT NULL,
	"address_hash" text NOT NULL,
	"network_hash" text,
	"token_hash" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"confirmed_at" timestamp with time zone,
	CONSTRAINT "contact_confirmations_tokenHash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "refused_addresses" (
	"address_hash" text PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "submissions" ADD COLUMN "contact_confirmed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "contact_confirmations" ADD CONSTRAINT "contact_confirmations_submission_id_submissions_id_fk" FOREIGN KEY ("submission_id") REFERENCES "public"."submissions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "contact_confirmations_of_submission" ON "contact_confirmations" USING btree ("submission_id","created_at");--> statement-breakpoint
CREATE INDEX "contact_confirmations_of_address" ON "contact_confirmations" USING btree ("address_hash","created_at");--> statement-breakpoint
CREATE INDEX "contact_confirmations_of_network" ON "contact_confirmations" USING btree ("network_hash","created_at");