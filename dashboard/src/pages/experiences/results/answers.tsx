import { MessageSquareText } from 'lucide-react';
import { useState } from 'react';
import { Section } from '../../../app/page.tsx';
import type { ShownExperience } from '../../../editor/document.ts';
import { formatNumber } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import type { Range } from '../../../ranges/use-range.ts';
import { Button } from '../../../ui/button.tsx';
import { BarTable } from '../../../ui/chart/bar-table.tsx';
import { type Question, questionsOf, type Stats } from './describe-results.ts';
import { PeopleCount } from './people-dialog.tsx';
import { Texts } from './texts.tsx';

const texts = text.results.answers;

interface AnswersProps {
  experience: ShownExperience;
  stats: Stats;
  range: Range;
}

/** What people answered to each question, and what they wrote. */
export function Answers({ experience, stats, range }: AnswersProps) {
  const questions = questionsOf(experience, stats).filter((question) => !isScored(stats, question));
  const first = questions.find(({ answers }) => answers.length > 0);
  return questions.map((question) => (
    <Section key={question.id} title={question.label} {...(question === first && { intro: texts.help })}>
      <Answer experience={experience} question={question} range={range} />
    </Section>
  ));
}

/** A question with a score has a section of its own, unless somebody wrote to it. */
function isScored({ scores }: Stats, { id, written }: Question): boolean {
  return written === 0 && scores.some(({ step_id, values }) => step_id === id && values.some(({ count }) => count > 0));
}

function Answer({ experience, question, range }: { experience: ShownExperience; question: Question; range: Range }) {
  const [isOpen, setOpen] = useState(question.preset === 'survey_input' || question.preset === 'response');
  const { answers, written, label } = question;
  const total = answers.reduce((sum, { count }) => sum + count, 0);
  if (total + written === 0) return <p className="text-14 text-soft">{texts.none}</p>;
  return (
    <>
      {answers.length > 0 && total > 0 && (
        <BarTable
          label={label}
          columns={texts.columns}
          isCompact
          rows={answers.map(({ id, label, count }) => ({
            ...{ id, label: <bdi>{label}</bdi>, count, share: count / total },
            ...(question.id !== 'removed' && {
              shownCount: (
                <PeopleCount
                  value={count}
                  of={{ title: label, what: 'answer', part_id: question.id, options: [optionOf(id)] }}
                />
              ),
            }),
          }))}
        />
      )}
      {written > 0 && question.id !== 'removed' && (
        <div className="flex flex-col gap-3">
          <div className="flex items-center justify-between gap-3">
            <p className="text-13 text-soft">{texts.written(formatNumber(written), written === 1)}</p>
            <Button
              size="small"
              look="quiet"
              icon={MessageSquareText}
              aria-expanded={isOpen}
              onPress={() => setOpen(!isOpen)}
            >
              {isOpen ? text.results.texts.hide : text.results.texts.show}
            </Button>
          </div>
          {isOpen && <Texts experience={experience} question={question} range={range} />}
        </div>
      )}
    </>
  );
}

/** Answers of presets are listed with their kind. */
function optionOf(id: string): string {
  return id.startsWith('value ') ? id.slice('value '.length) : id;
}
