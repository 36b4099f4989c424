import Button from '@mui/material/Button';
import ClickAwayListener from '@mui/material/ClickAwayListener';
import Dialog from '@mui/material/Dialog';
import Drawer from '@mui/material/Drawer';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Popover from '@mui/material/Popover';
import Popper from '@mui/material/Popper';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Filler } from './filler.jsx';

const field = <TextField className="field" label="Name" />;

function Opened({ name, children }) {
  const [anchorEl, setAnchor] = useState(null);
  return (
    <>
      <Button onClick={(event) => setAnchor(event.currentTarget)}>Open {name}</Button>
      {children({ anchorEl, open: !!anchorEl, onClose: () => setAnchor(null) })}
    </>
  );
}

createRoot(document.getElementById('root')).render(
  <main>
    <h1>Material UI</h1>
    <Opened name="dialog">
      {({ anchorEl, ...state }) => (
        <Dialog className="window" {...state}>
          {field}
        </Dialog>
      )}
    </Opened>
    <Opened name="drawer">
      {({ anchorEl, ...state }) => (
        <Drawer className="window" {...state}>
          {field}
        </Drawer>
      )}
    </Opened>
    <Opened name="popover">
      {(state) => (
        <Popover className="window" {...state}>
          {field}
        </Popover>
      )}
    </Opened>
    <Opened name="menu">
      {(state) => (
        <Menu className="window" {...state}>
          <MenuItem className="field">First item</MenuItem>
          <MenuItem>Second item</MenuItem>
        </Menu>
      )}
    </Opened>
    <Opened name="panel">
      {({ onClose, ...state }) => (
        <Popper className="window" {...state}>
          <ClickAwayListener onClickAway={onClose}>
            <div>{field}</div>
          </ClickAwayListener>
        </Popper>
      )}
    </Opened>
    <Filler />
  </main>,
);
