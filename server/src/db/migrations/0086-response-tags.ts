import type { ColumnTypes } from './migration.ts';

const scores = Array.from({ length: 13 }, (_, score) => `'${score}'`).join(', ');

/**
 * Tags of Responses, which people set by hand; and what Responses are filtered and ordered by: the first number that was given, and the
 * language in which the survey was shown.
 */
export function responseTags({ id, onSqlite }: ColumnTypes): string[] {
  const [withoutRowid = ''] = onSqlite('without rowid');
  return [
    'alter table responses add column score integer',
    'alter table responses add column language text',
    `update responses set score = (
      select cast(answers.value as integer) from answers
      where answers.account_id = responses.account_id and answers.response_id = responses.id
        and answers.value in (${scores}) and answers.button_text = answers.value and answers.choices is null
      order by answers.question_order limit 1
    )`,
    'create index responses_by_score on responses (account_id, experience_id, score, id)',
    `create table response_tags (
      account_id ${id} not null,
      response_id ${id} not null,
      name ${id} not null,
      experience_id ${id} not null,
      profile_id ${id} not null,
      primary key (account_id, response_id, name)
    ) ${withoutRowid}`,
    'create index response_tags_by_name on response_tags (account_id, experience_id, name, response_id)',
    'create index response_tags_by_profile on response_tags (account_id, profile_id)',
  ];
}
