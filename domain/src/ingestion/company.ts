import Type, { type Static } from 'typebox';
import { ExternalId, Id, Nullable, Timestamp } from '../basics/schema.ts';
import type { Millis } from '../basics/time.ts';
import { reservedCompanyKeys } from './reserved-keys.ts';
import { type CustomPatch, readCustom } from './value.ts';

/** A Company in full, with its custom properties beside these fields. */
export const Company = Type.Object(
  { id: Id, created_at: Timestamp, updated_at: Timestamp, uid: Type.String() },
  { additionalProperties: true },
);
export type Company = Static<typeof Company>;

/** A Company inside another record, in short or in full. */
export const EmbeddedCompany = Type.Object(
  { id: Id, created_at: Type.Optional(Timestamp), uid: Type.Optional(Type.String()) },
  { additionalProperties: true },
);
export type EmbeddedCompany = Static<typeof EmbeddedCompany>;

const uid = ExternalId('the ID that your product has for the company');

/** A Company in a request. Every other key is a custom property. */
export const CompanyInput = Type.Object(
  { id: Type.Optional(Id), uid: Type.Optional(uid) },
  { additionalProperties: true, description: 'the company, with `uid` and any properties' },
);
export type CompanyInput = Static<typeof CompanyInput>;

export const FindCompany = Type.Object({ id: Type.Optional(Id), uid: Type.Optional(uid) });
export type FindCompany = Static<typeof FindCompany>;

/** A Company to save, which is found by its ID or its uid. */
export interface CompanyItem {
  id?: string | undefined;
  uid?: string | undefined;
  custom: CustomPatch;
}

export function toCompanyItem(input: CompanyInput, problems: string[], now: Millis, at = ''): CompanyItem {
  const { id, uid } = input;
  if (id === undefined && uid === undefined)
    problems.push(`\`${at}uid\` is required: give the ID that your product has for the company, or our \`id\``);
  return { id, uid, custom: readCustom(input, reservedCompanyKeys, problems, now, at) };
}

/** The parameters that set the Company of a profile; null removes it. */
export const companyReferences = {
  company: Type.Optional(Nullable(CompanyInput)),
  company_id: Type.Optional(Nullable(Id)),
  company_uid: Type.Optional(Nullable(uid)),
};

/** Accepts one of the three parameters, or several that agree. Undefined when there is none. */
export function toCompanyReference(
  {
    company,
    company_id,
    company_uid,
  }: { company?: CompanyInput | null; company_id?: string | null; company_uid?: string | null },
  problems: string[],
  now: Millis,
): CompanyItem | null | undefined {
  const input = [company, company_id, company_uid].filter((one) => one !== undefined);
  if (input.length === 0) return undefined;
  if (input.every((one) => one === null)) return null;
  const item = company
    ? toCompanyItem(
        { ...(company_id && { id: company_id }), ...(company_uid && { uid: company_uid }), ...company },
        problems,
        now,
        'company.',
      )
    : { id: company_id ?? undefined, uid: company_uid ?? undefined, custom: {} };
  const contradicts =
    input.includes(null) || (company_id && company_id !== item.id) || (company_uid && company_uid !== item.uid);
  if (contradicts) problems.push('`company`, `company_id` and `company_uid` say different things: give one of them');
  return item;
}
