CREATE TABLE "snapshot_contents" (
	"sha256" text PRIMARY KEY NOT NULL,
	"deflated" "bytea" NOT NULL
);
--> statement-breakpoint
-- It is compressed already, and read in pieces.
ALTER TABLE "snapshot_contents" ALTER COLUMN "deflated" SET STORAGE EXTERNAL;
--> statement-breakpoint
CREATE TABLE "snapshots" (
	"day" date PRIMARY KEY NOT NULL,
	"made_at" timestamp with time zone NOT NULL,
	"rule" integer NOT NULL,
	"files" jsonb NOT NULL,
	"archive_sha256" text NOT NULL,
	"archive_bytes" bigint NOT NULL,
	"archive_crc" bigint NOT NULL
);
