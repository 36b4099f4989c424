import { useSession } from '../../api/session.ts';
import { Page } from '../../app/page.tsx';
import { text } from '../../messages/text.ts';

export default function HomePage() {
  const { person, account } = useSession();
  return (
    <Page title={text.home.title}>
      <div className="flex flex-col gap-1 rounded-10 border border-line bg-surface p-5">
        <h2 className="text-16 font-semibold">{text.home.welcome(person.name)}</h2>
        <p className="text-soft">{text.home.intro(account.name)}</p>
      </div>
    </Page>
  );
}
