/** @typedef {import('../figures/attacks.mjs').Attack} Attack */

/**
 * Creates a webhook to the server itself, in a network that the operator has allowed.
 * @type {Attack}
 */
export const ownWebhook = {
  name: 'a webhook points at the server itself',
  before: 'there was no deny list for webhook targets: with loopback allowed, the server could be made to call itself',
  settings: { USHER_WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8', USHER_WEBHOOK_DENY_NETWORKS: '127.0.0.9' },
  async run({ call, secret, port }) {
    const as = { 'x-account-secret': secret };
    const denied = await call('/v3/edit/webhooks', { url: 'http://127.0.0.9/', topics: ['ping'] }, as);
    const made = await call('/v3/edit/webhooks', { url: `http://127.7.7.7:${port}/healthz`, topics: ['ping'] }, as);
    let error = `${made.status} when it was created`;
    if (made.status === 201) {
      const { id } = made.body.webhook;
      await call(`/v3/edit/webhooks/${id}/ping`, {}, as);
      for (let tries = 0; tries < 50; tries++) {
        const { attempts } = (await call(`/v3/edit/webhooks/${id}/attempts`, undefined, as)).body;
        error = attempts[0]?.error ?? `status ${attempts[0]?.status}`;
        if (attempts.length > 0) break;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
    return {
      now: `own port: "${error}"; denied network: ${denied.status}`,
      defended: error === 'the host is this server itself' && denied.status === 422,
    };
  },
};
