import { formatDateTime } from '../messages/format.ts';
import * as text from '../messages/text.ts';
import { Link } from '../ui/link.tsx';
import { addressOfField } from './targeting-fields.ts';

const texts = text.targeting.who;
const TIMESTAMP = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

/** A sentence of the server, with its times in a readable format. */
export const plainReason = (message: string) =>
  `${message.replaceAll('`', '').replace(TIMESTAMP, (time) => formatDateTime(new Date(time)))}.`;

/** A link to the field that causes the reason, if the dashboard has the field. */
export function FieldLink({ id, field, onGo }: { id: string; field: string | null; onGo?: () => void }) {
  const href = field === null ? undefined : addressOfField(id, field);
  if (href === undefined) return null;
  const name = field?.split('.').at(-1) ?? '';
  return (
    <Link href={href} {...(onGo && { onPress: onGo })} className="whitespace-nowrap">
      {texts.change[name] ?? texts.changeOther}
    </Link>
  );
}
