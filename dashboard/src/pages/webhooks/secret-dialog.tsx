import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Dialog } from '../../ui/dialog.tsx';

const { secret: texts } = text.webhooks;

const example = `import { createHmac, timingSafeEqual } from 'node:crypto';

function isFromUsher(secret, headers, body, now = Date.now() / 1000) {
  const id = headers['webhook-id'], time = headers['webhook-timestamp'];
  if (!(Math.abs(now - Number(time)) <= 300)) return false; // too old
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = Buffer.from('v1,' + createHmac('sha256', key)
    .update(\`\${id}.\${time}.\`).update(body).digest('base64'));
  return headers['webhook-signature'].split(' ').some((text) => {
    const given = Buffer.from(text);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}`;

/** The secret of a webhook, which is shown once. A click outside does not close it. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      keepsOpen
      size="medium"
      title={texts.title}
      description={texts.description}
      buttons={
        <Button look="primary" onPress={onClose}>
          {texts.done}
        </Button>
      }
    >
      <CodeBlock label={texts.label} code={secret} />
      <CodeBlock label={texts.verify} code={example} />
      <p className="text-13 text-soft">{texts.verifyMore}</p>
    </Dialog>
  );
}
