import { useQuery } from '@tanstack/react-query';
import { askOf } from '@usher/domain';
import { query } from '../../../api/queries.ts';
import type { ShownExperience } from '../../../editor/document.ts';
import { readableText } from '../../../editor/readable-text.ts';
import { languageName } from '../../../languages/language-names.ts';
import { SearchField } from '../../../lists/search-field.tsx';
import { formatNumber } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import { Button } from '../../../ui/button.tsx';
import { type Option, Select } from '../../../ui/select.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { optionsOf } from './response-options.ts';
import { type FilterName, orders, type ResponseFilters } from './use-response-filters.ts';

const texts = text.responses;
const width = 'w-[calc(50%-0.375rem)] sm:w-44';
const MAX_OPTION_LABEL = 40;

/** What the list shows, and in which order. */
export function FilterBar({ seen, filters }: { seen: ShownExperience; filters: ResponseFilters }) {
  const { get, set } = filters;
  const { id } = seen;
  const segments = useQuery(query('GET /v3/edit/segments', { limit: 500 })).data?.segments ?? [];
  const languages = useQuery(query('GET /v3/edit/languages')).data?.languages ?? [];
  const tags = useQuery(query('GET /v3/analyze/responses/tags', { id })).data?.tags ?? [];
  const properties = useQuery(query('GET /v3/edit/properties', { kind: 'profile' })).data?.properties ?? [];
  const field = (name: FilterName, label: string, options: readonly Option[]) =>
    (options.length > 0 || get(name) !== '') && (
      <Select
        label={label}
        options={[{ value: '', label: texts.any }, ...options]}
        value={get(name)}
        onChange={(value) => set(name, value)}
        className={width}
      />
    );
  const scores = listScores(seen);
  return (
    <search aria-label={texts.filters} className="flex flex-wrap items-end gap-3">
      <SearchField
        label={texts.search}
        placeholder={texts.searchPlaceholder}
        value={get('search')}
        onChange={(value) => set('search', value)}
        className="w-full sm:w-64"
      />
      {field('min', texts.minScore, scores)}
      {field('max', texts.maxScore, scores)}
      {field('answer', texts.answer, listAnswers(seen))}
      {field('comment', texts.comment.label, [
        { value: 'with', label: texts.comment.with },
        { value: 'without', label: texts.comment.without },
      ])}
      {field(
        'segment',
        texts.segment,
        segments.map(({ id, name }) => ({ value: id, label: name })),
      )}
      {field(
        'language',
        texts.language.label,
        languages.length === 0
          ? []
          : [
              { value: 'default', label: texts.language.own },
              ...languages.map(({ code }) => ({ value: code, label: languageName(code) })),
            ],
      )}
      {field(
        'tag',
        texts.tag,
        tags.map(({ name }) => ({ value: name, label: name })),
      )}
      {(['from', 'until'] as const).map((name) => (
        <TextField
          key={name}
          label={texts[name]}
          type="date"
          value={get(name)}
          onChange={(value) => set(name, value)}
          className="w-[calc(50%-0.375rem)] sm:w-40"
        />
      ))}
      <Select
        label={texts.order.label}
        options={orders.map((value) => ({ value, label: texts.order[value] }))}
        value={filters.order}
        onChange={(value) => set('order', value === 'created_at' ? '' : value)}
        className={width}
      />
      {properties.length > 0 && (
        <Select
          label={texts.property}
          options={[
            { value: '', label: texts.noProperty },
            ...properties.map(({ prop, name }) => ({ value: prop, label: name ?? prop })),
          ]}
          value={get('property')}
          onChange={(value) => set('property', value)}
          className={width}
        />
      )}
      {filters.isFiltered && (
        <Button look="quiet" onPress={filters.clear}>
          {texts.clear}
        </Button>
      )}
    </search>
  );
}

/** The numbers that can be the score: those of the scales and stars. */
function listScores({ steps }: ShownExperience): Option[] {
  const scores = steps.flatMap((step) =>
    ['stars', 'scale'].includes(askOf(step)?.kind ?? '') ? optionsOf(step).map(({ id }) => Number(id)) : [],
  );
  return [...new Set(scores)]
    .sort((one, other) => one - other)
    .map((score) => ({ value: String(score), label: formatNumber(score) }));
}

function listAnswers({ steps }: ShownExperience): Option[] {
  return steps.flatMap((step) => {
    const ask = askOf(step);
    if (!ask) return [];
    const question = cut(readableText(step.title) || texts.untitled);
    return optionsOf(step).map(({ id, label }) => ({
      value: `${step.id}:${id}`,
      label: texts.option(question, label),
    }));
  });
}

function cut(label: string): string {
  return label.length > MAX_OPTION_LABEL ? `${label.slice(0, MAX_OPTION_LABEL)}…` : label;
}
