CREATE TABLE "scores" (
	"as_of" date NOT NULL,
	"mode" text NOT NULL,
	"digest" text NOT NULL,
	"rule" integer NOT NULL,
	"seed" text NOT NULL,
	"histories" integer NOT NULL,
	"reply" text NOT NULL,
	"is_daily" boolean NOT NULL,
	"computed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "scores_as_of_mode_pk" PRIMARY KEY("as_of","mode"),
	CONSTRAINT "scores_mode" CHECK ("mode" in ('touch', 'close'))
);
--> statement-breakpoint
CREATE INDEX "scores_asked" ON "scores" USING btree ("computed_at") WHERE not "scores"."is_daily";