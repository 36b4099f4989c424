import { useQuery } from '@tanstack/react-query';
import { attentionQuery } from '../../../api/attention.ts';
import { formatNumber } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import { Link } from '../../../ui/link.tsx';
import { Notice } from '../../../ui/notice.tsx';

const { waiting } = text.proposals;

/** Says above the list that proposals wait, if any do. */
export function WaitingProposals() {
  const { data } = useQuery(attentionQuery);
  const count = data?.attention.find(({ type }) => type === 'proposal_waiting')?.count;
  if (!count) return null;
  return (
    <Notice action={<Link href="/app/proposals">{waiting.open}</Link>}>
      {waiting.text(count, formatNumber(count))}
    </Notice>
  );
}
