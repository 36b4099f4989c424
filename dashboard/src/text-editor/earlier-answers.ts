import { createContext } from 'react';

/** The answers that a text of a survey can name: of the steps that can come before it. */
export interface EarlierAnswers {
  /** They are listed when the menu opens, because finding them takes longer than rendering. */
  list(): { stepId: string; name: string }[];
  /** What a step is called; undefined if it is gone. */
  nameOf(stepId: string): string | undefined;
}

export const EarlierAnswersContext = createContext<EarlierAnswers>({ list: () => [], nameOf: () => undefined });
