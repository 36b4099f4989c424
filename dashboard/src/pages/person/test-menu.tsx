import { useSend } from '../../api/queries.ts';
import { showError } from '../../app/show-error.ts';
import { showUndo } from '../../app/show-undo.ts';
import * as text from '../../messages/text.ts';
import type { PersonDetails } from '../../people/person-details.ts';
import { Button } from '../../ui/button.tsx';
import { keysOf } from '../../ui/keys-of.ts';
import { Menu } from '../../ui/menu.tsx';

const { test: texts } = text.person;

const values = { patterns: null, yes: true, no: false } as const;
type Option = keyof typeof values;
const options = keysOf(values);

/** Chooses whether this person is a test user, or lets the patterns of the account decide. */
export function TestMenu({ person }: { person: PersonDetails }) {
  const { id, test } = person;
  const send = useSend('PATCH /v3/edit/profiles/{id}');
  const set = (value: boolean | null) => send.mutateAsync({ id, test: value }).then(({ profile }) => profile.is_test);
  const change = (option: Option) => {
    if (values[option] === test) return;
    set(values[option]).then(
      (isTest) =>
        showUndo({
          title: isTest ? texts.done.yes : texts.done.no,
          about: [`profiles/${id}`],
          undo: () => set(test),
        }),
      showError,
    );
  };
  return (
    <Menu
      label={texts.menu}
      trigger={
        <Button size="small" look="quiet" isPending={send.isPending} aria-label={texts.menu} className="-my-1">
          {texts.change}
        </Button>
      }
      groups={[
        {
          title: texts.label,
          selected: options.find((option) => values[option] === test) ?? null,
          onSelect: (option) => change(option as Option),
          entries: options.map((option) => ({
            id: option,
            label: texts.options[option].label,
            description: texts.options[option].help,
          })),
        },
      ]}
    />
  );
}
