import { useQuery } from '@tanstack/react-query';
import { Copy, Trash2 } from 'lucide-react';
import { useLocation } from 'wouter';
import { ApiError } from '../../api/errors.ts';
import { query } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { FormSkeleton } from '../../app/form-skeleton.tsx';
import { FullPageMessage } from '../../app/full-page-message.tsx';
import { Page } from '../../app/page.tsx';
import { withoutAsking } from '../../app/unsaved-changes.ts';
import { ManagedNotice } from '../../files/managed-notice.tsx';
import type { SavedSegment } from '../../filters/segment-draft.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { Link } from '../../ui/link.tsx';
import { SegmentForm } from './segment-form.tsx';
import { useSegmentUses } from './segment-uses.tsx';
import { useSegmentActions } from './use-segment-actions.ts';

const texts = text.segments;

/** The page of one Segment, or of a new Segment. */
export default function SegmentPage({ params: { id = '' } }: { params: Record<string, string> }) {
  return id === 'new' ? <NewSegment /> : <ShownSegment key={id} id={id} />;
}

function NewSegment() {
  return (
    <Page title={texts.form.newTitle} parent={{ href: '/app/segments', label: texts.title }} intro={texts.intro}>
      <SegmentForm />
    </Page>
  );
}

function ShownSegment({ id }: { id: string }) {
  const { can } = useSession();
  const { data, error } = useQuery(query('GET /v3/edit/segments/{id}', { id }));
  if (error instanceof ApiError && error.status === 404)
    return (
      <FullPageMessage title={texts.gone.title} action={<Link href="/app/segments">{texts.gone.action}</Link>}>
        {texts.gone.text}
      </FullPageMessage>
    );
  if (!data)
    return (
      <Page title={texts.one}>
        {error ? <ErrorNotice error={error} /> : <FormSkeleton label={texts.one} heights={[360]} />}
      </Page>
    );
  return (
    <Page
      title={data.segment.name}
      parent={{ href: '/app/segments', label: texts.title }}
      {...(!can('edit') && { intro: texts.readOnly })}
      {...(can('edit') && { actions: <SegmentActions segment={data.segment} /> })}
    >
      <ManagedNotice id={id} />
      <SegmentForm saved={data.segment} />
    </Page>
  );
}

function SegmentActions({ segment }: { segment: SavedSegment }) {
  const [, navigate] = useLocation();
  const { data } = useSegmentUses(segment.id);
  const actions = useSegmentActions();
  const isUsed = data !== undefined && data.uses.segments.length + data.uses.experiences.length > 0;
  const remove = () => actions.remove(segment, () => withoutAsking(() => navigate('/app/segments')));
  return (
    <div className="flex flex-col gap-1 sm:items-end">
      <div className="flex flex-wrap gap-2">
        <Button icon={Copy} onPress={() => actions.duplicate(segment)}>
          {texts.duplicate}
        </Button>
        <Button icon={Trash2} isDisabled={isUsed} onPress={remove}>
          {texts.remove}
        </Button>
      </div>
      {isUsed && <p className="text-13 text-soft">{texts.keptReason}</p>}
    </div>
  );
}
