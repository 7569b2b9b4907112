-- What sources had nothing of is noted by day from now on.
INSERT INTO "deeper_bars" ("asset", "day", "source")
SELECT s."asset", b."day", s."source" FROM "deeper_sources" s JOIN "bars" b ON b."asset" = s."asset"
WHERE b."day" BETWEEN s."asked_from" AND s."asked_to" OR (s."note" IS NOT NULL AND b."day" < s."asked_from")
GROUP BY s."asset", b."day", s."source" HAVING bool_and(b."source" <> s."source")
ON CONFLICT DO NOTHING;--> statement-breakpoint
INSERT INTO "price_sources" ("asset", "source", "last_success_at", "last_error")
SELECT "asset", "source" || ' earlier days', "done_at", "note" FROM "deeper_sources" WHERE "done_at" IS NOT NULL
ON CONFLICT DO NOTHING;--> statement-breakpoint
INSERT INTO "facts" ("name", "value")
SELECT DISTINCT ON ("asset") 'earlier days of ' || "asset", json_build_object('isRecorded', true, 'at', "published_at",
  'by', "published_by", 'days', "days", 'from', "from_day", 'to', "to_day", 'changed', "changed", 'changes', "changes",
  'completed', "completed", 'digest', '')::text
FROM "deeper_rounds" ORDER BY "asset", "id" DESC
ON CONFLICT DO NOTHING;--> statement-breakpoint
DROP TABLE "deeper_rounds" CASCADE;--> statement-breakpoint
DROP TABLE "deeper_sources" CASCADE;