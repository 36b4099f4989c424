import { describe, expect, it } from 'vitest';
import type { Filter } from '../targeting/filter.ts';
import { isInFilters, isInTexts } from './name-use.ts';

const plan = { kind: 'profile', prop: 'plan' } as const;
const companyPlan = { kind: 'company', prop: 'plan' } as const;
const eventPlan = { kind: 'event', prop: 'plan' } as const;
const signedUp = { kind: 'event_name', prop: 'signed_up' } as const;

describe('isInFilters', () => {
  const ofProfile: Filter = { kind: 'property', prop: 'plan', op: 'ex' };
  const ofCompany: Filter = { kind: 'property', prop: 'company.plan', op: 'ex' };
  const event: Filter = { kind: 'event', op: 'ex', value: 'Signed Up' };

  it.each([
    ['a property', ofProfile, [plan]],
    ['a value inside of a property', { ...ofProfile, prop: 'plan.name' }, [plan]],
    ['another property', { ...ofProfile, prop: 'plans' }, []],
    ['a property of the Company', ofCompany, [companyPlan]],
    ['an event', event, [signedUp]],
    ['a group', { kind: 'group', filters: [ofProfile, event], filters_op: 'or' }, [plan, signedUp]],
  ] satisfies [string, Filter, object[]][])('finds %s', (_, filter, expected) => {
    const names = [plan, companyPlan, eventPlan, signedUp];
    expect(names.filter((name) => isInFilters([filter], name))).toEqual(expected);
  });
});

describe('isInTexts', () => {
  it('finds merge tags and conditions at any depth, and no others', () => {
    const content = { steps: [{ body: '{{#if plan == "pro"}}Hi{{/if}}', buttons: [{ text: '{{company.plan}}' }] }] };
    expect([plan, companyPlan, eventPlan].map((name) => isInTexts(content, name))).toEqual([true, true, false]);
    expect(isInTexts({ body: 'plan {{seats}}' }, plan)).toBe(false);
  });
});
