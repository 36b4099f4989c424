import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { query } from '../api/queries.ts';
import { formatNumber } from '../messages/format.ts';
import * as text from '../messages/text.ts';
import type { FieldTexts } from '../ui/field.tsx';
import { SuggestField } from '../ui/suggest-field.tsx';

const texts = text.targeting.pages;
const MAX_SUGGESTIONS = 100;

interface AddressFieldProps extends FieldTexts {
  value: string;
  onChange: (value: string) => void;
  /** Whether a suggestion is a whole address, or only its path. */
  isWhole?: boolean;
  isReadOnly?: boolean;
  placeholder?: string;
  className?: string;
  'data-field'?: string;
}

/** An address that is typed, or chosen from the pages that users have visited. */
export function AddressField({ value, onChange, isWhole = false, ...props }: AddressFieldProps) {
  const paths = useVisitedPaths();
  const seen = new Set<string>();
  const options = paths.flatMap(({ host, path, count }) => {
    // URL rules have no scheme, and neither do the visited pages.
    const label = isWhole ? host + path : path;
    if (seen.has(label)) return [];
    seen.add(label);
    return [{ value: label, label, description: texts.visits(host, formatNumber(count), count === 1) }];
  });
  return <SuggestField {...props} options={options} value={value} onChange={onChange} />;
}

/** The pages that users have visited most in the last 14 days. */
export function useVisitedPaths() {
  const { data } = useQuery({
    ...query('GET /v3/analyze/paths', { limit: MAX_SUGGESTIONS }),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });
  return useDeferredValue(data?.paths ?? none);
}

const none: never[] = [];
