import { useQuery } from '@tanstack/react-query';
import { serverUrl } from '../../api/installation.ts';
import { query } from '../../api/queries.ts';
import * as text from '../../messages/text.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Drawing } from '../../ui/drawing.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Link } from '../../ui/link.tsx';

const texts = text.events.empty;

const pageLine = "usher.track('Report exported', { format: 'pdf' })";

/** Says how the first event is sent. */
export function FirstEvent() {
  const { data } = useQuery(query('GET /v3/analyze/installation'));
  const server = data ? serverUrl(data.installation) : location.origin;
  const curl = [
    `curl -H 'X-Account-Secret: SECRET' ${server}/v3/observe/hooks/events \\`,
    `  -d '{"uid": "18821", "name": "Report exported", "format": "pdf"}'`,
  ].join('\n');
  return (
    <div className="flex flex-col gap-4">
      <EmptyState
        picture={<Drawing of="events" />}
        title={texts.title}
        action={<Link href="/app/settings/install">{texts.install}</Link>}
      >
        {texts.text}
      </EmptyState>
      <CodeBlock label={texts.page} code={pageLine} />
      <CodeBlock label={texts.backend} code={curl} />
      <p className="text-13 text-soft">{texts.note}</p>
    </div>
  );
}
