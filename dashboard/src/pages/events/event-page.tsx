import { useQuery } from '@tanstack/react-query';
import { Archive, ArchiveRestore } from 'lucide-react';
import type { ResponseOf } from '../../api/api.ts';
import { ApiError } from '../../api/errors.ts';
import { query } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { FullPageMessage } from '../../app/full-page-message.tsx';
import { Page } from '../../app/page.tsx';
import { ManagedNotice } from '../../files/managed-notice.tsx';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { Link } from '../../ui/link.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { DefinitionSection } from './definition-section.tsx';
import { EventCounts } from './event-counts.tsx';
import { EventDetails } from './event-details.tsx';
import { EventUses } from './event-uses.tsx';
import { Latest } from './latest.tsx';
import { useArchive } from './use-archive.ts';

const texts = text.events;

export type ShownEvent = ResponseOf<'GET /v3/analyze/event_names/{id}'>['event_name'];

/** One event: what it means, how often it happened, what uses it, and who did it last. */
export default function EventPage({ params: { id = '' } }: { params: Record<string, string> }) {
  const { data, error } = useQuery(query('GET /v3/analyze/event_names/{id}', { id }));
  if (error instanceof ApiError && error.status === 404) return <Gone />;
  if (data) return <Event event={data.event_name} />;
  return (
    <Page title={texts.one}>
      {error ? (
        <ErrorNotice error={error} />
      ) : (
        <div className="flex flex-col gap-6">
          <Skeleton height={220} />
          <Skeleton height={320} />
        </div>
      )}
    </Page>
  );
}

function Event({ event }: { event: ShownEvent }) {
  const { can } = useSession();
  const archive = useArchive();
  const { hidden } = event;
  return (
    <Page
      title={event.name}
      parent={{ href: '/app/events', label: texts.title }}
      {...(hidden && { intro: `${texts.archivedBadge}. ${texts.archivedHelp}` })}
      actions={
        can('edit') && (
          <Button icon={hidden ? ArchiveRestore : Archive} onPress={() => archive(event, !hidden)}>
            {hidden ? texts.unarchive : texts.archive}
          </Button>
        )
      }
    >
      <ManagedNotice id={event.id} />
      {event.definition && <DefinitionSection event={event} definition={event.definition} />}
      <EventCounts event={event} />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <EventDetails key={event.id} event={event} />
        <EventUses uses={event.uses} />
      </div>
      {can('read') && <Latest event={event} />}
    </Page>
  );
}

function Gone() {
  const { title, text: description, action } = texts.gone;
  return (
    <FullPageMessage title={title} action={<Link href="/app/events">{action}</Link>}>
      {description}
    </FullPageMessage>
  );
}
