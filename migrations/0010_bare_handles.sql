-- Handles are kept without the sign in front of them, however they came in.
update influencer_names set text = regexp_replace(text, '^@+', '') where kind = 'handle' and text like '@_%';
