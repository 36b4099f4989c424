import { WifiOff } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { checkConnection, useConnection } from '../api/connection.ts';
import * as text from '../messages/text.ts';
import { Button } from '../ui/button.tsx';
import { showToast } from '../ui/toast.tsx';

/** Shows that the server cannot be reached. The dashboard retries regularly meanwhile, and the button retries now. */
export function ConnectionBanner() {
  const connection = useConnection();
  const [isChecking, setChecking] = useState(false);
  const before = useRef(connection);
  useEffect(() => {
    if (before.current !== 'ok' && connection === 'ok') showToast({ title: text.errors.back });
    before.current = connection;
  }, [connection]);
  useEffect(() => {
    // The browser knows first that the network is back.
    addEventListener('online', checkConnection);
    return () => removeEventListener('online', checkConnection);
  }, []);
  const check = async () => {
    setChecking(true);
    await checkConnection();
    setChecking(false);
  };
  return (
    <div role="status">
      {connection !== 'ok' && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 bg-warn-tint px-4 py-2 text-13 sm:px-8">
          <WifiOff size={16} aria-hidden className="shrink-0 text-warn" />
          <p className="min-w-0 flex-1">{text.errors[connection]}</p>
          <Button size="small" isPending={isChecking} onPress={check}>
            {text.errors.tryNow}
          </Button>
        </div>
      )}
    </div>
  );
}
