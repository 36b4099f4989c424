import { Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useSession } from '../../../api/session.ts';
import { ErrorNotice } from '../../../app/error-notice.tsx';
import { lazyComponent } from '../../../app/lazy-component.ts';
import type { ExperienceTabProps } from '../../../editor/experience-tab-props.ts';
import * as text from '../../../messages/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Drawing } from '../../../ui/drawing.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { TranslateExperience } from './translate-experience.tsx';
import { useLanguagesInAddress } from './use-languages-in-address.ts';
import { useTranslations } from './use-translations.ts';

const AddLanguageDialog = lazyComponent(() =>
  import('../../../languages/add-language-dialog.tsx').then((module) => module.AddLanguageDialog),
);

const texts = text.translations;

/** The texts of an Experience in other languages. They are stored beside the draft, so saving one never changes the other. */
export default function LanguagesTab({ experience, editor: { document } }: ExperienceTabProps) {
  const { editor, error } = useTranslations(experience);
  const { can } = useSession();
  const [isAdding, setAdding] = useState(false);
  const codes = editor?.state.shown.languages.map(({ code }) => code) ?? [];
  const chosen = useLanguagesInAddress(codes);
  const add = can('edit') && (
    <Button icon={Plus} look={codes.length === 0 ? 'primary' : 'plain'} onPress={() => setAdding(true)}>
      {text.languages.add}
    </Button>
  );
  return (
    <div className="flex flex-1 flex-col gap-4 pt-3 pb-6">
      {!editor && (error ? <ErrorNotice error={error} /> : <TextsSkeleton />)}
      {editor && codes.length === 0 && (
        <EmptyState picture={<Drawing of="languages" />} title={texts.empty.title} action={add}>
          {can('edit') ? texts.empty.text : texts.empty.readOnly}
        </EmptyState>
      )}
      {editor && codes.length > 0 && (
        <TranslateExperience id={experience.id} document={document} editor={editor} chosen={chosen} add={add} />
      )}
      <Suspense fallback={null}>
        {isAdding && <AddLanguageDialog onClose={() => setAdding(false)} taken={codes} onAdded={chosen.show} />}
      </Suspense>
    </div>
  );
}

function TextsSkeleton() {
  return (
    <div role="status" aria-label={text.frame.loadingPage} className="grid gap-4 lg:grid-cols-[3fr_2fr]">
      <div className="flex flex-col gap-4 rounded-10 border border-line bg-surface p-4">
        {['64%', '48%', '71%', '52%', '60%', '44%'].map((width) => (
          <Skeleton key={width} width={width} />
        ))}
      </div>
      <div className="h-96 rounded-10 border border-line bg-surface" />
    </div>
  );
}
