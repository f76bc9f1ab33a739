import type { PrivacyPolicyTexts } from '../en/privacy-policy.ts'

export const dePrivacyPolicy: PrivacyPolicyTexts = {
  intro: ({ domain }) => `Diese Erklärung beschreibt, was ${domain} erhebt und warum.`,
  account:
    'Angaben zum Konto. Bei der Registrierung gibst du einen Profilnamen, eine E-Mail-Adresse und ein Passwort an. Du kannst einen Anzeigenamen, eine Biografie, ein Profilbild und ein Titelbild hinzufügen. Profilname, Anzeigename, Biografie, Bilder und Zusatzfelder sind immer öffentlich. Das Passwort wird als Hash gespeichert, aus dem es sich nicht zurückgewinnen lässt. Die E-Mail-Adresse dient dazu, dein Konto zu bestätigen, dein Passwort zurückzusetzen und dich über Aktivitäten zu informieren, und ist nur für die Administration sichtbar.',
  posts:
    'Beiträge, Folgebeziehungen und andere öffentliche Angaben. Die Konten, denen du folgst, und deine öffentlichen Beiträge sind öffentlich, wenn du nichts anderes wählst. Zu jedem Beitrag werden die Zeit und die verwendete Anwendung gespeichert. Medien können eine Beschreibung haben, die du verfasst; Ortsangaben und Kameradaten werden aus den Bildern entfernt, die du hochlädst. Löschst du einen gemeldeten Beitrag, bleibt sein Text noch bis zu 30 Tage für die Moderation gespeichert.',
  private_posts:
    'Beiträge nur für Follower und private Erwähnungen. Sie werden auf diesem Server gespeichert und an die Server deiner Follower oder der erwähnten Personen übermittelt. Wir bitten diese Server, den Empfängerkreis zu achten, können das aber nicht erzwingen. Die Administrationen dieses Servers und der empfangenden Server können sie lesen. Teile hier keine gefährlichen oder vertraulichen Informationen.',
  addresses:
    'IP-Adressen und andere Metadaten. Bei der Registrierung wird deine IP-Adresse gespeichert. Bei jeder Anmeldung und jedem Anmeldeversuch werden die Zeit, die IP-Adresse und der Name des Browsers gespeichert, damit du Anmeldungen prüfen und Sitzungen beenden kannst. Auch die letzte IP-Adresse jeder autorisierten Anwendung wird gespeichert. Die Adressen der Registrierung und der Anmeldungen werden nach einem Jahr gelöscht, die anderen nach einem Jahr ohne Nutzung.',
  use: 'Wofür die Informationen verwendet werden. Um den Dienst zu erbringen: deine Beiträge anzuzeigen und zuzustellen, dich anderen folgen und mit ihnen interagieren zu lassen, dich angemeldet zu halten und die Moderation zu unterstützen, etwa um Konten zu finden, die eine Sperre umgehen.',
  disclosure:
    'Was an andere weitergegeben wird. Wir verkaufen keine personenbezogenen Daten und handeln nicht damit. Deine öffentlichen Beiträge und dein Profil werden an andere Server des Fediverse übermittelt, wenn dir dort jemand folgt oder dort jemand erwähnt wird, und können dort durchsucht und kopiert werden. Anwendungen, die du autorisierst, können lesen, was du ihnen erlaubst, aber niemals deine E-Mail-Adresse oder dein Passwort, es sei denn, du gibst sie ihnen.',
  rights:
    'Deine Rechte. Du kannst deine Beiträge, Medien und Listen in den Einstellungen exportieren, dein Profil jederzeit ändern und dein Konto löschen. Die Löschung entfernt deine Daten von diesem Server und bittet andere Server, dasselbe zu tun.',
  cookies:
    'Cookies. Dieser Server setzt Cookies, um dich angemeldet zu halten und Formulare zu schützen. Die Seiten dieses Servers laden nichts von Dritten.',
  children: 'Kinder. Wenn dieser Server ein Mindestalter verlangt, wird es bei der Registrierung abgefragt.',
  email_subscriptions:
    'Beiträge per E-Mail. Wenn du dir die Beiträge eines Kontos an deine E-Mail-Adresse schicken lässt, werden die Adresse, die Sprache und die Zeitpunkte deiner Anfrage, ihrer Bestätigung und der letzten E-Mail gespeichert. Die Adresse wird nur für diese E-Mails verwendet und niemandem gezeigt. Sie wird gelöscht, wenn du die Beiträge abbestellst, wenn du sie nicht innerhalb von sieben Tagen bestätigst, und mit dem Konto.',
  contact: ({ email }) => `Fragen und Anliegen: ${email}`,
}
