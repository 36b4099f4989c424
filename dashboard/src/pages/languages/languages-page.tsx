import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { query } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { lazyComponent } from '../../app/lazy-component.ts';
import { Page } from '../../app/page.tsx';
import { languageName } from '../../languages/language-names.ts';
import { noCounts } from '../../languages/progress-bar.tsx';
import { useAddress } from '../../lists/use-address.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { Drawing } from '../../ui/drawing.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ExperienceProgress } from './experience-progress.tsx';
import { FileSection } from './file-section.tsx';
import { type LanguageRow, LanguageTable } from './language-table.tsx';
import { RemoveLanguageDialog, useRemoveLanguage } from './remove-language.tsx';

const texts = text.languages;
const AddLanguageDialog = lazyComponent(() =>
  import('../../languages/add-language-dialog.tsx').then((module) => module.AddLanguageDialog),
);

/** The languages of the account, how far each Experience is in them, and files for translators who work elsewhere. */
export default function LanguagesPage() {
  const { can } = useSession();
  const { set } = useAddress();
  const { data, error } = useQuery(query('GET /v3/edit/languages', { limit: 500 }));
  const progress = useQuery(query('GET /v3/edit/i18n'));
  const [isAdding, setAdding] = useState(false);
  const [isFirst, setFirst] = useState(false);
  const [confirmed, setConfirmed] = useState<LanguageRow>();
  const remove = useRemoveLanguage(setConfirmed);
  const experiences = useRef<HTMLDivElement>(null);
  // Both requests are needed: without the number of its texts, a language would seem to be removable without a
  // question.
  const rows =
    data && (progress.data || progress.error)
      ? data.languages
          .map(({ id, code }): LanguageRow => {
            const counts = progress.data?.i18ns.find(({ language }) => language.code === code) ?? noCounts;
            return { ...counts, id, code, name: languageName(code) };
          })
          .sort((one, other) => one.name.localeCompare(other.name))
      : undefined;
  const codes = rows?.map(({ code }) => code) ?? [];
  const add = can('edit') && (
    // With the first language, the button moves from the empty state to the heading, and keeps the focus.
    <Button look="primary" icon={Plus} autoFocus={isFirst} onPress={() => setAdding(true)}>
      {texts.add}
    </Button>
  );
  const open = ({ code }: LanguageRow) => {
    set({ language: code });
    experiences.current?.scrollIntoView({ block: 'start' });
  };
  return (
    <Page title={texts.title} intro={texts.intro} actions={rows?.length === 0 ? undefined : add}>
      <ErrorNotice error={error ?? progress.error} />
      {!error && rows?.length !== 0 && <LanguageTable rows={rows} onOpen={open} onRemove={remove} />}
      {rows?.length === 0 && (
        <EmptyState picture={<Drawing of="languages" />} title={texts.empty.title} action={add}>
          {can('edit') ? texts.empty.text : texts.empty.readOnly}
        </EmptyState>
      )}
      {codes.length > 0 && (
        <div ref={experiences} className="scroll-mt-16">
          <ExperienceProgress codes={codes} />
        </div>
      )}
      {rows && <FileSection codes={codes} />}
      <Suspense fallback={null}>
        {isAdding && (
          <AddLanguageDialog
            onClose={() => setAdding(false)}
            taken={codes}
            onAdded={() => setFirst(codes.length === 0)}
          />
        )}
      </Suspense>
      <RemoveLanguageDialog language={confirmed} onClose={() => setConfirmed(undefined)} />
    </Page>
  );
}
