import { PreparedQuery } from '../prepared-query.ts';
import type { VisitorResult } from './visitor.ts';
import { visitorJson } from './visitor-json.ts';

export const selectVisitorByUid = selectVisitorBy('uid');
export const selectVisitorById = selectVisitorBy('id');

function selectVisitorBy<Key extends 'uid' | 'id'>(key: Key): PreparedQuery<VisitorResult, Key> {
  return new PreparedQuery((db, account, param, { json }) =>
    db
      .selectFrom('profiles')
      .select(visitorJson(account, json))
      .where('profiles.account_id', '=', account)
      .where(`profiles.${key as 'uid' | 'id'}`, '=', param(key)),
  );
}
