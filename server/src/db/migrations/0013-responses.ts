import { TICKS_PER_MS } from '@usher/domain';
import type { ColumnTypes } from './migration.ts';

const showing = 'account_id, profile_id, experience_id, showing_from';
const sameShowing = ['account_id', 'profile_id', 'experience_id', 'showing_from']
  .map((column) => `other.${column} = responses.${column}`)
  .join(' and ');

/**
 * One Response for each user and showing, with an answer for each step. The oldest answer of a showing gives its Response
 * the ID. The texts of buttons were not stored so far; a number stands for itself.
 */
export function responses({ id, time }: ColumnTypes): string[] {
  return [
    `create table answers (
      account_id ${id} not null,
      response_id ${id} not null,
      step_id ${id} not null,
      profile_id ${id} not null,
      experience_id ${id} not null,
      question_order integer not null,
      button_id ${id},
      button_index integer,
      button_text text,
      value text,
      input text,
      primary key (account_id, response_id, step_id),
      foreign key (account_id, profile_id) references profiles (account_id, id)
    )`,
    `insert into answers (account_id, response_id, step_id, profile_id, experience_id, question_order,
        button_id, button_index, button_text, value, input)
      select account_id, first_id, coalesce(step_id, ''), profile_id, experience_id, place - 1, button_id, button_index,
        case when value in ('0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '10') then value end, value, input
      from (
        select responses.*, min(id) over (partition by ${showing}) as first_id,
          row_number() over (partition by ${showing} order by id) as place
        from responses
      ) as placed`,
    'create index answers_by_profile on answers (account_id, profile_id, experience_id)',
    'create index answers_by_experience on answers (account_id, experience_id, response_id, step_id)',
    'alter table responses add column href text',
    `alter table responses add column finished_at ${time}`,
    `update responses set updated_at = (select max(other.updated_at) from responses as other where ${sameShowing})`,
    `update responses set updated_tick = updated_at * ${TICKS_PER_MS}`,
    // What was told when its showing ended is not told again.
    `update responses set finished_at = (
      select case
        when interactions.showing_from > responses.showing_from then responses.updated_at
        when interactions.state = 'completed' then interactions.completed_at
        when interactions.state = 'exited' then interactions.exited_at
      end
      from interactions
      where interactions.account_id = responses.account_id
        and interactions.profile_id = responses.profile_id
        and interactions.experience_id = responses.experience_id
    )`,
    `delete from responses where not exists (
      select 1 from answers where answers.account_id = responses.account_id and answers.response_id = responses.id
    )`,
    'drop index responses_by_profile',
    ...['step_id', 'button_id', 'button_index', 'value', 'input'].map(
      (column) => `alter table responses drop column ${column}`,
    ),
    `create unique index responses_by_profile on responses (${showing})`,
  ];
}
