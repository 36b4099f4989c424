import { useCallback, useState } from 'react';
import { Link, Route, Routes } from 'react-router';
import { ReportsPage } from './ReportsPage.jsx';
import { restoreUser, signIn, signOut } from './session.js';
import { useUsher, useUsherEvent } from './use-usher.js';

export function App() {
  const [user, setUser] = useState(restoreUser);
  const [lastEvent, setLastEvent] = useState('none');
  useUsher(user);
  useUsherEvent(
    'tour:event',
    useCallback(({ kind, state }) => state && setLastEvent(`${kind} ${state}`), []),
  );

  return (
    <>
      <nav>
        <Link to="/">Home</Link> <Link to="/reports">Reports</Link>{' '}
        {user ? (
          <button type="button" onClick={() => setUser(signOut())}>
            Sign out
          </button>
        ) : (
          <button type="button" onClick={() => setUser(signIn())}>
            Sign in
          </button>
        )}
      </nav>
      <Routes>
        <Route path="/" element={<h1>Home</h1>} />
        <Route path="/reports" element={<ReportsPage />} />
      </Routes>
      <p>Last event of Usher: {lastEvent}</p>
    </>
  );
}
