import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { ApiError } from '../../api/errors.ts';
import { experienceQuery } from '../../api/experience-queries.ts';
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
import { useAfterPaint } from '../../ui/use-after-paint.ts';
import { EditorNotices } from './editor-notices.tsx';
import { ExperienceHeader } from './experience-header.tsx';
import { experienceTabs, listOf, tabsOf } from './experience-tabs.ts';
import { TabLinks } from './tab-links.tsx';
import { useSaving } from './use-saving.ts';

const ClashDialog = lazyComponent(() => import('../../changes/clash-dialog.tsx').then((module) => module.ClashDialog));

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
    ...experienceQuery(id),
    refetchInterval: LOOK_AGAIN_MS,
    refetchOnWindowFocus: 'always',
  });
  const isGone = error instanceof ApiError && error.status === 404;
  if (!tabParts.has(tab)) return <NotFound />;
  if (data && !tabsOf(data.experience.kind).some(({ path }) => path === tab)) return <NotFound />;
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
  if (!editor) return <OpeningExperience experience={experience} />;
  return <EditedExperience experience={experience} editor={editor} tab={tab} />;
}

/**
 * The name shows while the browser looks for a local copy of the draft. It does not take the focus, which would be lost with it:
 * the heading that replaces it does.
 */
function OpeningExperience({ experience: { kind, name } }: { experience: ShownExperience }) {
  return (
    <div className="-mt-4 flex flex-col gap-6 pt-3">
      <div className="flex h-8 min-w-0 items-center gap-1.5">
        <span className="shrink-0 text-14 text-soft">{text.editor.kindLists[kind]}</span>
        <span aria-hidden className="text-faint">
          /
        </span>
        <h1 className="truncate text-20 font-semibold tracking-tight">{name}</h1>
      </div>
      <TabSkeleton />
    </div>
  );
}

function EditedExperience({ experience, editor, tab }: { experience: ShownExperience; editor: Editor; tab: string }) {
  const [isClashOpen, setClashOpen] = useState(true);
  const Tab = tabParts.get(tab);
  // The preview and the fields take most of the time of the page, so its heading does not wait for them.
  const isReady = useAfterPaint();
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
        {Tab && isReady ? <Tab experience={experience} editor={editor} /> : <TabSkeleton className="py-6" />}
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
