-- A token now has its account's role: one that was made for less than that role ends, as it must not gain what it was not made for.
WITH "narrow" AS (
  UPDATE "admin_tokens" t SET "revoked_at" = now()
  FROM "admins" a
  WHERE a."id" = t."admin_id" AND t."revoked_at" IS NULL AND t."expires_at" > now()
    AND NOT t."scopes" @> CASE a."role"
      WHEN 'administrator' THEN ARRAY['read', 'review', 'publish', 'operate']
      ELSE ARRAY['read', 'review'] END
  RETURNING t."admin_id", t."name", t."scopes"
)
INSERT INTO "audit_log" ("at", "username", "action", "subject_kind", "subject_id", "before", "after", "reason")
SELECT now(), 'server', 'token revoked', 'admin', "admin_id"::text, jsonb_build_object('scopes', "scopes"),
  jsonb_build_object('name', "name"), 'Tokens have the role of their account now, and this one was made for less.'
FROM "narrow";--> statement-breakpoint
ALTER TABLE "admin_tokens" DROP COLUMN "scopes";
