import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { query } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { lazyPart } from '../../app/lazy-part.ts';
import { Page } from '../../app/page.tsx';
import { formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, ListPicture } from '../../ui/empty-state.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { languageDirection, languageName, ownLanguageName } from './language-names.ts';
import { RemoveLanguageDialog, useRemoveLanguage } from './remove-language.tsx';

/** A language of the account, or the one that Experiences are written in. */
export interface LanguageRow {
  id: string;
  code: string;
  name: string;
  translated: number;
  all: number;
}

const languages = text.languages;
const AddLanguageDialog = lazyPart(() => import('./add-language-dialog.tsx').then((part) => part.AddLanguageDialog));
const DEFAULT = 'default';

export default function LanguagesPage() {
  const { can } = useSession();
  const { data, error } = useQuery(query('GET /v3/edit/languages', { limit: 500 }));
  const progress = useQuery(query('GET /v3/edit/i18n'));
  const [isAdding, setAdding] = useState(false);
  const [confirmed, setConfirmed] = useState<LanguageRow>();
  const remove = useRemoveLanguage(setConfirmed);
  const added: LanguageRow[] | undefined = data?.languages
    .map(({ id, code }) => {
      const found = progress.data?.i18ns.find(({ language }) => language.code === code);
      const { translated_count: translated = 0, texts_count: all = 0 } = found ?? {};
      return { id, code, name: languageName(code), translated, all };
    })
    .sort((one, other) => one.name.localeCompare(other.name));
  const rows = added && [{ id: DEFAULT, code: DEFAULT, name: languages.default, translated: 0, all: 0 }, ...added];
  const add = can('edit') && (
    <Button look="primary" icon={Plus} onPress={() => setAdding(true)}>
      {languages.add}
    </Button>
  );
  const columns: TableColumn<LanguageRow>[] = [
    {
      id: 'name',
      label: languages.columns.name,
      width: '2fr',
      minWidth: 150,
      render: ({ code, name }) => (
        <>
          {name}
          <span className="ml-2 font-normal text-soft" {...(code !== DEFAULT && { lang: code })}>
            {code === DEFAULT ? languages.defaultHelp : ownLanguageName(code)}
          </span>
        </>
      ),
    },
    { id: 'code', label: languages.columns.code, width: 100, render: ({ code }) => <code>{code}</code> },
    {
      id: 'direction',
      label: languages.columns.direction,
      width: 120,
      isSecondary: true,
      render: ({ code }) => (code === DEFAULT ? '' : languages.directions[languageDirection(code)]),
    },
    {
      id: 'progress',
      label: languages.columns.progress,
      width: 150,
      isSecondary: true,
      render: ({ code, translated, all }) => {
        if (code === DEFAULT) return '';
        return all === 0 ? languages.noTexts : languages.progress(formatNumber(translated), formatNumber(all));
      },
    },
    {
      id: 'actions',
      label: languages.columns.actions,
      isLabelHidden: true,
      width: 110,
      align: 'end',
      render: (row) =>
        row.code === DEFAULT ? (
          <span className="text-12 text-soft">{languages.always}</span>
        ) : (
          can('edit') && (
            <Button size="small" aria-label={languages.removeLanguage(row.name)} onPress={() => remove(row)}>
              {languages.remove}
            </Button>
          )
        ),
    },
  ];
  return (
    <Page title={languages.title} intro={languages.intro} actions={add}>
      {!data && <ErrorNotice error={error} />}
      {(data || !error) && (
        <Table
          label={languages.title}
          columns={columns}
          rows={rows}
          expectedRows={3}
          nameOf={({ name }) => name}
          empty={null}
        />
      )}
      {added?.length === 0 && (
        <EmptyState picture={<ListPicture />} title={languages.empty.title} action={add}>
          {languages.empty.text}
        </EmptyState>
      )}
      <Suspense fallback={null}>
        {isAdding && (
          <AddLanguageDialog onClose={() => setAdding(false)} taken={data?.languages.map(({ code }) => code) ?? []} />
        )}
      </Suspense>
      <RemoveLanguageDialog language={confirmed} onClose={() => setConfirmed(undefined)} />
    </Page>
  );
}
