import { PreparedStatement } from '../prepared-statement.ts';
import type { VisitorResult } from './visitor.ts';
import { visitorJson } from './visitor-json.ts';

export const selectVisitorByUid = selectVisitorBy('uid');
export const selectVisitorById = selectVisitorBy('id');

function selectVisitorBy<Key extends 'uid' | 'id'>(key: Key): PreparedStatement<VisitorResult, Key> {
  return new PreparedStatement(
    ({ json }) =>
      `select ${visitorJson(json)} from profiles where profiles.account_id = :account and profiles.${key} = :${key}`,
  );
}
