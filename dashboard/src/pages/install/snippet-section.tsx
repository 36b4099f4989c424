import { type Installation, isLocal, pageUrl } from '../../api/installation.ts';
import { Section } from '../../app/page.tsx';
import * as text from '../../messages/text.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { envFile, hooks, htmlSnippet, policyLines, shortSnippet, trustedTypesLine } from './snippets.ts';

const { snippet, identify, policy, localServer } = text.install;

/** The code for the customer's product, with the reader's own server and token. */
export function SnippetSection({ installation }: { installation: Installation }) {
  const server = pageUrl(installation);
  const { account_token: token } = installation;
  const { tabs } = snippet;
  const withPackage = (hook: string) => (
    <div className="flex flex-col gap-3">
      <p className="text-13 text-soft">{snippet.packageIntro}</p>
      <CodeBlock label={snippet.packageLabel} code={snippet.packageCommand} />
      <CodeBlock label={snippet.envLabel} code={envFile(server, token)} />
      <CodeBlock label="use-usher.js" code={hook} />
      <p className="text-13 text-soft">{snippet.hookIntro}</p>
    </div>
  );
  return (
    <Section title={snippet.title} intro={snippet.intro}>
      {isLocal(server) && <Notice kind="info">{localServer}</Notice>}
      <Tabs
        label={snippet.tabsLabel}
        tabs={[
          {
            id: 'html',
            label: tabs.html,
            content: (
              <div className="flex flex-col gap-3">
                <CodeBlock label={snippet.htmlLabel} code={shortSnippet(server, token)} />
                <p className="text-13 text-soft">{snippet.shortIntro}</p>
              </div>
            ),
          },
          {
            id: 'queue',
            label: tabs.queue,
            content: (
              <div className="flex flex-col gap-3">
                <p className="text-13 text-soft">{snippet.queueIntro}</p>
                <CodeBlock label={snippet.htmlLabel} code={htmlSnippet(server, token)} />
              </div>
            ),
          },
          { id: 'react', label: tabs.react, content: withPackage(hooks.react) },
          { id: 'vue', label: tabs.vue, content: withPackage(hooks.vue) },
          {
            id: 'tag-manager',
            label: tabs.tagManager,
            content: (
              <ol className="flex list-decimal flex-col gap-1.5 pl-5 text-14">
                {snippet.tagManagerSteps.map((step) => (
                  <li key={step}>{step}</li>
                ))}
              </ol>
            ),
          },
        ]}
      />
      <p className="text-13 text-soft">{snippet.copyForColleague}</p>
    </Section>
  );
}

export function IdentifySection() {
  return (
    <Section title={identify.title} intro={identify.intro}>
      <CodeBlock label={identify.label} code={identify.code} />
      <CodeBlock label={identify.clear} code={identify.clearCode} />
    </Section>
  );
}

export function PolicySection({ installation }: { installation: Installation }) {
  return (
    <Section title={policy.title} intro={policy.intro}>
      <CodeBlock label={policy.label} code={policyLines(pageUrl(installation))} />
      <p className="text-13 text-soft">{policy.trustedTypes}</p>
      <CodeBlock label={policy.label} code={trustedTypesLine} />
    </Section>
  );
}
