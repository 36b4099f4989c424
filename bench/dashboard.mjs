import { dashboardList, dashboardRoutes, dashboardSize, dashboardTyping } from './figures/dashboard.mjs';
import { runFigures } from './harness.mjs';

/*
 * npm run bench:dashboard                      what the dashboard loads, and how fast it reacts
 * npm run bench:dashboard -- --only typing     the figures whose name contains this
 * npm run bench:dashboard -- --quick           tiny sizes, to check that it works
 */

await runFigures(
  {
    'dashboard.size': dashboardSize,
    'dashboard.routes': dashboardRoutes,
    'dashboard.typing': dashboardTyping,
    'dashboard.list': dashboardList,
  },
  ['sqlite'],
);
