CREATE TABLE "removed_unpaid" (
	"day" date PRIMARY KEY NOT NULL,
	"submissions" integer NOT NULL,
	"invoices" integer NOT NULL,
	"sats" bigint NOT NULL
);
