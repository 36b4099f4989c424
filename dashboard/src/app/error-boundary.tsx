import { Component, type ReactNode } from 'react';
import * as text from '../messages/text.ts';
import { Button } from '../ui/button.tsx';
import { FullPageMessage } from './full-page-message.tsx';
import { PageLoadError } from './load-page.ts';

/** Shows what to do when a page throws, instead of a blank window. Change its `key` to reset it. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    const { title, description, action } =
      text.errors[(error as unknown) instanceof PageLoadError ? 'notLoaded' : 'crashed'];
    return (
      <FullPageMessage
        title={title}
        action={
          <Button look="primary" onPress={() => location.reload()}>
            {action}
          </Button>
        }
      >
        {description}
      </FullPageMessage>
    );
  }
}
