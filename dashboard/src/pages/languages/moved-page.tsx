import { Redirect } from 'wouter';

/** Redirects from the address that the page had among the settings. */
export default function MovedPage() {
  return <Redirect to="/app/languages" replace />;
}
