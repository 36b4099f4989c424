/** Sockets and files count together. */
export const TOO_FEW_FILES =
  'this process may open too few files: raise the limit with ulimit -n, or LimitNOFILE of systemd';

const reasons: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EPROTO: 'it does not speak https',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak https',
};

/** What an error code of the network means, if that is clear. */
export function explainConnection(code: string): string | undefined {
  return reasons[code];
}
