import './style.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './api/queries.ts';
import { App } from './app/app.tsx';
import { loadFirstPage } from './app/load-first-page.ts';
import { routeTable } from './app/route.ts';
import { guardBackButton } from './app/unsaved-changes.ts';
import { plainRoutes, routes, signInRoute } from './routes.tsx';

Object.assign(routeTable, { routes, plainRoutes, signInRoute });
guardBackButton();
const client = createQueryClient();
const root = document.getElementById('app');
if (root)
  loadFirstPage(client).then(() =>
    createRoot(root).render(
      <StrictMode>
        <QueryClientProvider client={client}>
          <App />
        </QueryClientProvider>
      </StrictMode>,
    ),
  );
