import { Trash2 } from 'lucide-react';
import { useMemo } from 'react';
import { useSession } from '../../api/session.ts';
import { languageDirection, ownLanguageName } from '../../languages/language-names.ts';
import { type Counts, countMissing, ProgressBar } from '../../languages/progress-bar.tsx';
import { formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { isNarrow, useWidth } from '../../ui/use-width.ts';

/** A language of the account. */
export interface LanguageRow extends Counts {
  id: string;
  code: string;
  name: string;
}

const texts = text.languages;

interface LanguageTableProps {
  rows: readonly LanguageRow[] | undefined;
  /** Is called to show the Experiences of a language. */
  onOpen: (language: LanguageRow) => void;
  onRemove: (language: LanguageRow) => void;
}

/** The languages with their progress over all Experiences. */
export function LanguageTable({ rows, onOpen, onRemove }: LanguageTableProps) {
  const { can } = useSession();
  const mayEdit = can('edit');
  const [ref, width] = useWidth();
  const narrow = isNarrow(width);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the buttons act on the rows
  const columns = useMemo<TableColumn<LanguageRow>[]>(
    () => [
      {
        id: 'name',
        label: texts.columns.name,
        width: '2fr',
        minWidth: 130,
        render: ({ code, name }) => (
          <>
            {name}
            <span className="ml-2 font-normal text-soft" lang={code}>
              {ownLanguageName(code)}
            </span>
          </>
        ),
      },
      {
        id: 'progress',
        label: texts.columns.progress,
        width: '2fr',
        minWidth: narrow ? 116 : 180,
        render: (row) => <ProgressBar name={row.name} counts={row} width={narrow ? 40 : 96} />,
      },
      {
        id: 'todo',
        label: texts.columns.todo,
        width: '1.5fr',
        minWidth: 190,
        isSecondary: true,
        render: (row) => <Todo counts={row} />,
      },
      {
        id: 'code',
        label: texts.columns.code,
        width: 90,
        isSecondary: true,
        render: ({ code }) => <code>{code}</code>,
      },
      {
        id: 'direction',
        label: texts.columns.direction,
        width: 120,
        isSecondary: true,
        render: ({ code }) => texts.directions[languageDirection(code)],
      },
      ...(mayEdit
        ? [
            {
              id: 'actions',
              label: texts.columns.actions,
              isLabelHidden: true,
              width: narrow ? 52 : 104,
              align: 'end' as const,
              render: (row: LanguageRow) =>
                narrow ? (
                  <IconButton
                    icon={Trash2}
                    size="small"
                    label={texts.removeLanguage(row.name)}
                    onPress={() => onRemove(row)}
                  />
                ) : (
                  <Button size="small" aria-label={texts.removeLanguage(row.name)} onPress={() => onRemove(row)}>
                    {texts.remove}
                  </Button>
                ),
            },
          ]
        : []),
    ],
    [mayEdit, rows, narrow],
  );
  return (
    <div ref={ref}>
      <Table
        label={texts.title}
        columns={columns}
        rows={rows}
        expectedRows={3}
        nameOf={({ name }) => name}
        onOpen={onOpen}
        empty={null}
      />
    </div>
  );
}

/** What is left to do, in words. */
function Todo({ counts }: { counts: Counts }) {
  const missing = countMissing(counts);
  if (counts.texts_count === 0) return null;
  return (
    <span className="flex gap-1.5">
      {missing > 0 && <Badge>{texts.progress.missing(formatNumber(missing))}</Badge>}
      {counts.outdated_count > 0 && (
        <Badge tone="warn">{texts.progress.outdated(formatNumber(counts.outdated_count))}</Badge>
      )}
      {counts.unreviewed_count > 0 && (
        <Badge tone="warn">{texts.progress.unreviewed(formatNumber(counts.unreviewed_count))}</Badge>
      )}
      {missing + counts.outdated_count + counts.unreviewed_count === 0 && (
        <Badge tone="good">{texts.progress.complete}</Badge>
      )}
    </span>
  );
}
