import { useQuery } from '@tanstack/react-query';
import { browserKinds, browserNames, filterFacts } from '@usher/domain';
import { query } from '../api/queries.ts';
import * as text from '../messages/text.ts';
import type { FilterNames } from './names.ts';
import { type PropertyType, toPropertyTypes } from './operators.ts';

const texts = text.filters;

export interface KnownProperty {
  prop: string;
  name: string;
  isOfCompany: boolean;
  types: PropertyType[];
  values: readonly unknown[];
  lastSeenAt: string | null;
}

interface Named {
  id: string;
  name: string;
}

/** What conditions can be about: Properties and Event Names that were seen, and records that exist. */
export interface KnownSubjects {
  properties: KnownProperty[];
  events: { uid: string; name: string }[];
  tours: Named[];
  surveys: Named[];
  segments: Named[];
  names: FilterNames;
  findProperty: (prop: string) => KnownProperty;
  isLoading: boolean;
}

const propertyTypeOfFact = { text: 'text', number: 'number', time: 'date', boolean: 'boolean' } as const;
/** The values of Properties that have only a fixed list of values. */
const knownValues: Readonly<Record<string, readonly string[]>> = { browser_n: browserNames, browser_k: browserKinds };
const STALE_MS = 30_000;

/** What the conditions are about. */
export type FilteredKind = 'profile' | 'company' | 'event';

export function useKnownSubjects(about: FilteredKind = 'profile'): KnownSubjects {
  const forPeople = about === 'profile';
  const own = useProperties(forPeople ? 'profile' : 'event', about !== 'company');
  const company = useProperties('company', about !== 'event');
  const events = useQuery({
    ...query('GET /v3/edit/event_names', { limit: 500 }),
    enabled: forPeople,
    staleTime: STALE_MS,
  });
  const tours = useExperiences('tour', forPeople);
  const surveys = useExperiences('survey', forPeople);
  const segments = useQuery({ ...query('GET /v3/edit/segments', { limit: 500 }), enabled: forPeople });
  const ofOthers = about === 'company' ? [...listFacts('company', ''), ...company.properties] : own.properties;
  const properties = !forPeople
    ? ofOthers
    : [
        ...listFacts('profile', ''),
        ...own.properties,
        ...company.properties.map((one) => ({
          ...one,
          prop: `company.${one.prop}`,
          name: texts.ofCompany(one.name),
          isOfCompany: true,
        })),
        ...listFacts('company', 'company.'),
      ];
  const eventNames = events.data?.event_names ?? [];
  const byProp = new Map(properties.map((one) => [one.prop, one]));
  const segmentList = segments.data?.segments ?? [];
  const nameOf = (list: readonly Named[], id: string, gone: string, isLoaded: boolean) =>
    list.find((one) => one.id === id)?.name ?? (isLoaded ? gone : '…');
  return {
    properties: about === 'event' ? properties : ownFirst([...byProp.values()], about === 'company'),
    events: eventNames,
    tours: tours.list,
    surveys: surveys.list,
    segments: segmentList,
    names: {
      property: (prop) => nameInSentence(byProp.get(prop) ?? toUnknown(prop)),
      event: (uid) => eventNames.find((one) => one.uid === uid)?.name ?? uid,
      experience: (kind, id) =>
        kind === 'tour'
          ? nameOf(tours.list, id, texts.gone.tour, tours.isLoaded)
          : nameOf(surveys.list, id, texts.gone.survey, surveys.isLoaded),
      segment: (id) => nameOf(segmentList, id, texts.gone.segment, segments.isSuccess),
    },
    findProperty: (prop) => byProp.get(prop) ?? toUnknown(prop),
    isLoading: company.isLoading || own.isLoading || (forPeople && (events.isPending || segments.isPending)),
  };
}

/** People look for what they send themselves, so fields that every person and Company has come last. */
function ownFirst(properties: readonly KnownProperty[], isCompany: boolean): KnownProperty[] {
  const facts = isCompany
    ? listFacts('company', '')
    : [...listFacts('profile', ''), ...listFacts('company', 'company.')];
  const isFact = ({ prop }: KnownProperty) => facts.some((fact) => fact.prop === prop);
  return [...properties.filter((one) => !isFact(one)), ...properties.filter(isFact)];
}

function useProperties(kind: FilteredKind, enabled: boolean) {
  const { data, isPending } = useQuery({
    ...query('GET /v3/edit/properties', { kind, order: 'last_seen_at' }),
    enabled,
    staleTime: STALE_MS,
  });
  const properties = (data?.properties ?? []).map(
    ({ prop, name, types, values, last_seen_at }): KnownProperty => ({
      prop,
      name,
      isOfCompany: false,
      types: toPropertyTypes(types),
      values,
      lastSeenAt: last_seen_at,
    }),
  );
  return { properties, isLoading: enabled && isPending };
}

function useExperiences(kind: 'tour' | 'survey', enabled: boolean) {
  const { data, isSuccess } = useQuery({
    ...query('GET /v3/edit/experiences', { kind, fields: 'list', limit: 500 }),
    enabled,
    staleTime: STALE_MS,
  });
  return { list: data?.experiences ?? [], isLoaded: isSuccess };
}

/** The fields that every person or Company has, in the order of their use. */
function listFacts(of: 'profile' | 'company', prefix: '' | 'company.'): KnownProperty[] {
  const names = of === 'profile' ? texts.facts : texts.companyFacts;
  return Object.entries(names).map(([fact, name]) => ({
    prop: `${prefix}${fact}`,
    name,
    isOfCompany: prefix !== '',
    types: [propertyTypeOfFact[filterFacts[of][fact] ?? 'text']],
    values: prefix === '' ? (knownValues[fact] ?? []) : [],
    lastSeenAt: null,
  }));
}

/** The names of fields begin with a capital letter only where they stand alone. */
function nameInSentence({ prop, name }: KnownProperty): string {
  const isField = Object.hasOwn(texts.facts, prop) && !/^..*[A-Z]/.test(name.slice(0, 2));
  return isField ? `${name.charAt(0).toLowerCase()}${name.slice(1)}` : name;
}

function toUnknown(prop: string): KnownProperty {
  const isOfCompany = prop.startsWith('company.');
  const name = isOfCompany ? texts.ofCompany(prop.slice('company.'.length)) : prop;
  return { prop, name, isOfCompany, types: [], values: [], lastSeenAt: null };
}
