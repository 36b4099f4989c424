import { useQuery } from '@tanstack/react-query';
import { stylesOf } from '@usher/domain/themes';
import { setFields } from '../editor/commands.ts';
import type { Editor } from '../editor/use-editor.ts';
import { fieldMark } from '../fields/field-focus.ts';
import * as text from '../messages/text.ts';
import { Link } from '../ui/link.tsx';
import { Select } from '../ui/select.tsx';
import { ThemeSwatch } from './theme-swatch.tsx';
import { readThemes, themesQuery } from './themes-query.ts';

const texts = text.themes.field;
const DEFAULT = 'default';

/** The theme of an Experience. An account without themes has nothing to choose from. */
export function ThemeField({ editor }: { editor: Editor }) {
  const themes = readThemes(useQuery(themesQuery).data);
  if (!themes || themes.length === 0) return null;
  const { theme_id } = editor.document;
  const standard = themes.find((theme) => theme.default);
  const current = theme_id === null ? standard : themes.find(({ id }) => id === theme_id);
  return (
    <div {...fieldMark('', 'theme_id')} className="flex flex-col gap-1 border-t border-line pt-3">
      <Select
        label={texts.label}
        isDisabled={editor.isReadOnly}
        options={[
          { value: DEFAULT, label: standard ? texts.default(standard.name) : texts.noDefault },
          ...themes.map((theme) => ({
            value: theme.id,
            label: theme.name,
            mark: <ThemeSwatch styles={stylesOf(theme)} />,
          })),
        ]}
        value={theme_id ?? DEFAULT}
        onChange={(id) => editor.change(setFields({ theme_id: id === DEFAULT ? null : id }))}
        {...(current?.published_at === null && { help: texts.draft })}
      />
      {current && (
        <Link href={`/app/themes/${current.id}`} className="self-start text-13">
          {texts.open}
        </Link>
      )}
    </div>
  );
}
