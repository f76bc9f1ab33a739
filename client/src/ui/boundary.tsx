import { Component, type ComponentChildren } from 'preact'
import { Failed } from './state-message.tsx'

type BoundaryProps = {
  /** Another one is another try. */
  of: string
  children: ComponentChildren
}

/** When something in it cannot be shown, it says so, and everything else goes on. */
export class Boundary extends Component<BoundaryProps, { error: unknown }> {
  override state = { error: null }

  static override getDerivedStateFromError(error: unknown): { error: unknown } {
    console.error(error)
    return { error }
  }

  override componentDidUpdate({ of }: BoundaryProps): void {
    if (of !== this.props.of && this.state.error !== null) this.setState({ error: null })
  }

  override render() {
    const { error } = this.state
    return error === null ? this.props.children : <Failed error={error} retry={() => this.setState({ error: null })} />
  }
}
