CREATE TABLE "processes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"role" text NOT NULL,
	"host" text NOT NULL,
	"pid" integer NOT NULL,
	"leads" boolean NOT NULL,
	"lines" integer NOT NULL,
	"replica_state" text,
	"behind_ms" double precision,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"heard_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "processes_role" CHECK ("role" in ('web', 'worker', 'both'))
);
--> statement-breakpoint
CREATE TABLE "post_reads" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "post_reads_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"network_hash" text NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_starts" (
	"payment_id" uuid PRIMARY KEY NOT NULL,
	"network" text NOT NULL,
	"prefix" text NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "payment_starts" ADD CONSTRAINT "payment_starts_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "post_reads_at" ON "post_reads" USING btree ("at");--> statement-breakpoint
CREATE INDEX "payment_starts_of_prefix" ON "payment_starts" USING btree ("prefix","at");--> statement-breakpoint
CREATE INDEX "payment_starts_at" ON "payment_starts" USING btree ("at");