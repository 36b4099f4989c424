import { describe, expect, it } from 'vitest';
import { type CompanyInput, toCompanyItem, toCompanyReference } from './company.ts';

const id = 'a'.repeat(24);
const otherId = 'b'.repeat(24);
const contradiction = '`company`, `company_id` and `company_uid` say different things: give one of them';

function read<Input, Item>(toItem: (input: Input, problems: string[], now: number) => Item, input: Input) {
  const problems: string[] = [];
  return { item: toItem(input, problems, 0), problems };
}

describe('toCompanyItem', () => {
  it('keeps id and uid apart from the properties', () => {
    const { item, problems } = read(toCompanyItem, { id, uid: '007', Plan: '12', plan_name: null } as CompanyInput);
    expect(item).toEqual({ id, uid: '007', custom: { plan: 12, plan_name: null } });
    expect(problems).toEqual([]);
  });

  it.each(['id', 'uid', 'created_at', 'createdAt', 'updated_at', 'account_id', 'accountSecret', 'account_secret'])(
    'does not accept %s as a property',
    (name) => {
      const { item } = read(toCompanyItem, { uid: '1', [name]: '1' } as CompanyInput);
      expect(item.custom).toEqual({});
    },
  );

  it.each(['name', 'email', 'percent', 'company_id', 'last_seen_at'])('keeps %s as a property', (name) => {
    expect(read(toCompanyItem, { uid: '1', [name]: 'x' } as CompanyInput).item.custom).toEqual({ [name]: 'x' });
  });

  it('requires an id or a uid', () => {
    expect(read(toCompanyItem, { name: 'Acme' } as CompanyInput).problems).toEqual([
      '`uid` is required: give the ID that your product has for the company, or our `id`',
    ]);
    for (const input of [{ id }, { uid: '1' }, { id, uid: '1' }])
      expect(read(toCompanyItem, input).problems).toEqual([]);
  });

  it('reports the path of a problem inside a profile', () => {
    const problems: string[] = [];
    toCompanyItem({ name: '\0' } as CompanyInput, problems, 0, 'company.');
    expect(problems).toEqual([
      expect.stringContaining('`company.uid` is required'),
      expect.stringContaining('`company.name` must'),
    ]);
  });
});

describe('toCompanyReference', () => {
  it.each([
    ['nothing', {}, undefined],
    ['company_id', { company_id: id }, { id, uid: undefined, custom: {} }],
    ['company_uid', { company_uid: '9' }, { id: undefined, uid: '9', custom: {} }],
    ['company_id and company_uid', { company_id: id, company_uid: '9' }, { id, uid: '9', custom: {} }],
    [
      'a company with a uid',
      { company: { uid: '9', Plan: 'pro' } },
      { id: undefined, uid: '9', custom: { plan: 'pro' } },
    ],
    ['a company with an id', { company: { id } }, { id, uid: undefined, custom: {} }],
    [
      'a company named beside it',
      { company_uid: '9', company: { plan: 'pro' } },
      { id: undefined, uid: '9', custom: { plan: 'pro' } },
    ],
    ['a company with its id beside it', { company_id: id, company: { uid: '9' } }, { id, uid: '9', custom: {} }],
    [
      'all three that agree',
      { company_id: id, company_uid: '9', company: { id, uid: '9' } },
      { id, uid: '9', custom: {} },
    ],
    ['null as company', { company: null }, null],
    ['null as company_id', { company_id: null }, null],
    ['null as company_uid', { company_uid: null }, null],
    ['null three times', { company: null, company_id: null, company_uid: null }, null],
  ] as [string, object, object | null | undefined][])('reads %s', (_what, input, expected) => {
    const { item, problems } = read(toCompanyReference, input);
    expect(item).toEqual(expected);
    expect(problems).toEqual([]);
  });

  it.each([
    { company_id: id, company: { id: otherId } },
    { company_uid: '9', company: { uid: '8' } },
    { company_id: null, company_uid: '9' },
    { company_uid: null, company_id: id },
    { company: null, company_uid: '9' },
    { company: { uid: '9' }, company_uid: null },
    { company: { uid: '9' }, company_id: null },
  ])('rejects the contradiction %j', (input) => {
    expect(read(toCompanyReference, input).problems).toEqual([contradiction]);
  });

  it('rejects a company without an id or a uid', () => {
    expect(read(toCompanyReference, { company: { plan: 'pro' } as CompanyInput }).problems).toEqual([
      expect.stringContaining('`company.uid` is required'),
    ]);
  });
});
