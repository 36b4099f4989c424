import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { ApiError } from '../../api/errors.ts';
import { query } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { FullPageMessage } from '../../app/full-page-message.tsx';
import { lazyComponent } from '../../app/lazy-component.ts';
import { NotFound } from '../../app/not-found.tsx';
import { Page } from '../../app/page.tsx';
import { TabSkeleton } from '../../app/tab-skeleton.tsx';
import type { ShownExperience } from '../../editor/document.ts';
import type { ExperienceTabProps } from '../../editor/experience-tab-props.ts';
import { type Editor, useEditor } from '../../editor/use-editor.ts';
import { useUndoKeys } from '../../editor/use-undo-keys.ts';
import * as text from '../../messages/text.ts';
import { Link } from '../../ui/link.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { EditorNotices } from './editor-notices.tsx';
import { ExperienceHeader } from './experience-header.tsx';
import { experienceTabs, listOf } from './experience-tabs.ts';
import { TabLinks } from './tab-links.tsx';
import { useSaving } from './use-saving.ts';

const ClashDialog = lazyComponent(() => import('./clash-dialog.tsx').then((module) => module.ClashDialog));

/** How often the page checks whether somebody else has changed something. */
const LOOK_AGAIN_MS = 10_000;

const tabParts = new Map(
  experienceTabs.map(({ path, load }) => [
    path,
    lazyComponent<ExperienceTabProps>(() => load().then((module) => module.default)),
  ]),
);

/** One Experience: its name, its state, whether it is saved, and its tabs. */
export default function ExperiencePage({ params: { id = '', tab = '' } }: { params: Record<string, string> }) {
  const { data, error } = useQuery({
    ...query('GET /v3/edit/experiences/{id}', { id }),
    refetchInterval: LOOK_AGAIN_MS,
    refetchOnWindowFocus: 'always',
  });
  const isGone = error instanceof ApiError && error.status === 404;
  if (!tabParts.has(tab)) return <NotFound />;
  if (data) return <OpenExperience experience={data.experience} tab={tab} isGone={isGone} />;
  if (isGone) return <Gone />;
  if (!error) return <PageSkeleton label={text.frame.loadingPage} />;
  return (
    <Page title={text.editor.one}>
      <ErrorNotice error={error} />
    </Page>
  );
}

function OpenExperience({ experience, tab, isGone }: { experience: ShownExperience; tab: string; isGone: boolean }) {
  const editor = useEditor(experience, isGone);
  if (!editor) return <PageSkeleton label={text.frame.loadingPage} />;
  return <EditedExperience experience={experience} editor={editor} tab={tab} />;
}

function EditedExperience({ experience, editor, tab }: { experience: ShownExperience; editor: Editor; tab: string }) {
  const [isClashOpen, setClashOpen] = useState(true);
  const Tab = tabParts.get(tab);
  useUndoKeys(editor, experienceTabs.find(({ path }) => path === tab)?.hasOwnSaving);
  useSaving(editor, tab);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div data-editor-header className="-mx-4 -mt-4 bg-ground px-4 pt-3 md:sticky md:top-[calc(3rem+1px)] md:z-10">
        <ExperienceHeader experience={experience} editor={editor} onClash={() => setClashOpen(true)} />
        <TabLinks id={experience.id} selected={tab} editor={editor} />
      </div>
      <EditorNotices experience={experience} editor={editor} />
      <Suspense fallback={<TabSkeleton className="py-6" />}>
        {Tab && <Tab experience={experience} editor={editor} />}
      </Suspense>
      <Suspense>
        {editor.clashes.length > 0 && (
          <ClashDialog editor={editor} isOpen={isClashOpen} onClose={() => setClashOpen(false)} />
        )}
      </Suspense>
    </div>
  );
}

function Gone() {
  const { user } = useSession();
  const { title, text: description, action } = text.editor.gone;
  return (
    <FullPageMessage title={title} action={<Link href={listOf(user.role)}>{action}</Link>}>
      {description}
    </FullPageMessage>
  );
}
