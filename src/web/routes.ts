import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { registerAbout } from './about.ts'
import { registerAdmin } from './admin/routes.ts'
import { registerAssets } from './assets.ts'
import { registerAuthorizeInteraction } from './authorize-interaction.ts'
import { registerClient } from './client/shell.ts'
import { registerCollection } from './collection.ts'
import { registerConfirmation } from './confirmation.ts'
import { registerEmailSubscriptions } from './email-subscriptions.ts'
import { registerPasskeySignIn } from './passkey-sign-in.ts'
import { registerPassword } from './password.ts'
import { registerProviderSignIn } from './provider-sign-in.ts'
import { registerSecondStep } from './second-step.ts'
import { registerSettings } from './settings/routes.ts'
import { registerSetUp } from './set-up.ts'
import { registerSignIn } from './sign-in.ts'
import { registerSignUp } from './sign-up.ts'
import { registerFeeds } from './rss.ts'
import { registerStrikes } from './strikes.ts'
import { registerInvite } from './invite.ts'
import { registerSwitchAccount } from './switch-account.ts'
import { registerTerms } from './terms.ts'
import { registerFormerAddresses } from './former-addresses.ts'
import { registerHome } from './home.ts'
import { registerNetwork } from './network.ts'
import { registerProfile } from './profile.ts'
import { registerSource } from './source.ts'
import { registerStatusPages } from './status.ts'
import { registerTag } from './tag.ts'
import { registerUnsubscribe } from './unsubscribe.ts'

export function registerPages(app: FastifyInstance, ctx: Context): void {
  registerAbout(app, ctx)
  registerAdmin(app, ctx)
  registerAssets(app, ctx)
  registerAuthorizeInteraction(app, ctx)
  registerClient(app, ctx)
  registerCollection(app, ctx)
  registerConfirmation(app, ctx)
  registerEmailSubscriptions(app, ctx)
  registerPasskeySignIn(app, ctx)
  registerPassword(app, ctx)
  registerProviderSignIn(app, ctx)
  registerSecondStep(app, ctx)
  registerSettings(app, ctx)
  registerSetUp(app, ctx)
  registerSignIn(app, ctx)
  registerSignUp(app, ctx)
  registerStrikes(app, ctx)
  registerSwitchAccount(app, ctx)
  registerInvite(app, ctx)
  registerTerms(app, ctx)
  registerHome(app, ctx)
  registerFeeds(app, ctx)
  registerFormerAddresses(app, ctx)
  registerNetwork(app, ctx)
  registerProfile(app, ctx)
  registerSource(app, ctx)
  registerStatusPages(app, ctx)
  registerTag(app, ctx)
  registerUnsubscribe(app, ctx)
}
