import { Page, Section } from '../../app/page.tsx';
import { themes } from '../../app/user-menu.tsx';
import * as text from '../../messages/text.ts';
import { RadioGroup, Switch } from '../../ui/choice.tsx';
import { setTheme, useTheme } from '../../ui/theme.ts';
import { useStoredValue } from '../../ui/use-stored-value.ts';

const texts = text.appearance;

/** How the dashboard looks in this browser. */
export default function AppearancePage() {
  const theme = useTheme();
  const [sidebar, setSidebar] = useStoredValue('usher-sidebar');
  return (
    <Page title={texts.title} intro={texts.intro}>
      <Section title={texts.theme}>
        <RadioGroup
          label={texts.theme}
          options={themes.map((value) => ({
            value,
            label: text.frame.themes[value],
            help: texts.themeHelp[value] || undefined,
          }))}
          value={theme}
          onChange={setTheme}
          className="[&>:first-child]:sr-only"
        />
      </Section>
      <Section title={texts.navigation}>
        <Switch
          label={texts.collapse}
          isSelected={sidebar === 'collapsed'}
          onChange={(isCollapsed) => setSidebar(isCollapsed ? 'collapsed' : null)}
          help={texts.collapseHelp}
        />
      </Section>
    </Page>
  );
}
