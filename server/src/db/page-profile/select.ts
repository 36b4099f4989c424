import { PreparedStatement } from '../prepared-statement.ts';
import type { PageProfileResult } from './page-profile.ts';
import { pageProfileJson } from './page-profile-json.ts';

export const selectPageProfileByUid = selectPageProfileBy('uid');
export const selectPageProfileById = selectPageProfileBy('id');

function selectPageProfileBy<Key extends 'uid' | 'id'>(key: Key): PreparedStatement<PageProfileResult, Key> {
  return new PreparedStatement(
    ({ json }) =>
      `select ${pageProfileJson(json)} from profiles where profiles.account_id = :account and profiles.${key} = :${key}`,
  );
}
