import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, type ResponseOf } from '../../api/api.ts';
import { ApiError } from '../../api/errors.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import * as text from '../../messages/text.ts';
import { Link } from '../../ui/link.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { PlainLayout } from './plain-layout.tsx';

export type CheckedLink = ResponseOf<'POST /v3/links/check'>['link'];

const titles = { invite: text.links.title, setup: text.setup.title, reset: text.reset.title };

interface LinkPageProps {
  kind: CheckedLink['kind'];
  children: (link: CheckedLink, token: string) => ReactNode;
}

/** Checks the single-use link, whose token is in the fragment of the address and thus in no log. */
export function LinkPage({ kind, children }: LinkPageProps) {
  const token = location.hash.slice(1);
  const { data, error } = useQuery({
    queryKey: ['links', token],
    queryFn: () => api('POST /v3/links/check', { token }),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const links = text.links;
  if (data?.link.kind === kind) return children(data.link, token);
  if (!data && !error && token !== '')
    return (
      <PlainLayout title={titles[kind]}>
        <p role="status" className="flex items-center gap-2 text-soft">
          <Spinner /> {links.checking}
        </p>
      </PlainLayout>
    );
  const isInvalid = data || token === '' || (error instanceof ApiError && [404, 422].includes(error.status));
  return (
    <PlainLayout title={links.invalid.title} {...(isInvalid && { intro: links.invalid[kind] })}>
      {!isInvalid && <ErrorNotice error={error} />}
      <Link href="/">{links.toSignIn}</Link>
    </PlainLayout>
  );
}
