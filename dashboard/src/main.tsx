import './style.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './api/queries.ts';
import { sessionQuery } from './api/session.ts';
import { App } from './app/app.tsx';
import { findAnyRoute } from './app/find-route.ts';
import { loadPage } from './app/load-page.ts';
import { guardBackButton } from './app/unsaved-changes.ts';
import { applyTheme } from './ui/theme.ts';

applyTheme();
guardBackButton();
const client = createQueryClient();
// Started before anything is rendered: every page waits for it.
void client.prefetchQuery(sessionQuery);
// The code of the page arrives meanwhile.
const found = findAnyRoute(location.pathname === '/' ? '/app' : location.pathname);
if (found) loadPage(found.route).catch(() => undefined);

const root = document.getElementById('app');
if (root)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <App />
      </QueryClientProvider>
    </StrictMode>,
  );
