import { useAddress } from '../../../lists/use-address.ts';
import type { TextFilter } from './visible-texts.ts';

export interface ChosenLanguages {
  /** The language that is translated, and optionally a second language beside it. */
  languages: string[];
  filter: TextFilter;
  choose(language: string): void;
  /** Chooses the second language; an empty text removes it. */
  chooseSecond(language: string): void;
  setFilter(filter: TextFilter): void;
  /** Shows a language that was just added, beside the others if there is room. */
  show(language: string): void;
}

const filters: readonly TextFilter[] = ['all', 'missing', 'review', 'long'];

/** Which languages and texts are listed: `?language=de&second=ar&show=missing`. */
export function useLanguagesInAddress(codes: readonly string[]): ChosenLanguages {
  const { get, set } = useAddress();
  const isKnown = (code: string | undefined): code is string => code !== undefined && codes.includes(code);
  const first = isKnown(get('language')) ? get('language') : codes[0];
  const second = isKnown(get('second')) && get('second') !== first ? get('second') : undefined;
  const filter = filters.find((one) => one === get('show')) ?? 'all';
  return {
    languages: [first, second].filter(isKnown),
    filter,
    choose: (language) => set({ language, ...(language === second && { second: first ?? '' }) }),
    chooseSecond: (language) => set({ language: first ?? '', second: language }),
    setFilter: (one) => set({ show: one === 'all' ? '' : one }),
    show: (language) => set(first === undefined ? { language } : { language: first, second: language }),
  };
}
