ALTER TABLE "person_scores" ADD COLUMN "marks" json DEFAULT '[]'::json NOT NULL;--> statement-breakpoint
-- Only the newest scores are shown on the board; those computed later have a sample.
update person_scores set call_count = found.calls, marks = found.marks
from (
  select person.as_of, person.mode, person.place,
    count(*) as calls,
    coalesce(json_agg(json_build_object('id', call -> 'id', 'text', call -> 'text', 'deadline', call -> 'deadline',
        'outcome', call -> 'outcome', 'luck', call -> 'luck') order by nth)
      filter (where call ->> 'luck' is not null and call ->> 'outcome' <> 'void'), '[]'::json) as marks
  from person_scores as person, json_array_elements(calls) with ordinality as given(call, nth)
  where call ->> 'repeats' is null
    and (person.as_of, person.mode) in (select max(as_of), mode from scores where is_daily group by mode)
  group by person.as_of, person.mode, person.place
) as found
where person_scores.as_of = found.as_of and person_scores.mode = found.mode and person_scores.place = found.place;
